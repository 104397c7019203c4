import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type HostFunction, timeoutOf } from './host-function.ts';

/** The time until a job with a lost message is found. */
const LOOKS_EVERY = Duration.minutes(5);

/**
 * The number of times that a message is received before it becomes a dead letter: the attempts of a job, and one more.
 */
const RECEIVES = 6;

/**
 * The notifications about jobs: a queue that wakes the worker's function, and a schedule for messages that the queue
 * lost. The jobs themselves are in the table, from which the worker takes them one at a time.
 *
 * The queue is FIFO with a single message group, so that Lambda calls the function for one message at a time. Reserving
 * one instance for the function would do the same, but an account with few instances can't reserve any, and the queue
 * would send messages to the dead letters whenever no instance is free. The schedule calls the function directly: after
 * a crash it does not wait behind the message that crashed, and the job's lease keeps two calls from working on the
 * same job.
 */
export class Jobs extends Construct {
  readonly queue: Queue;
  /** Messages of jobs that were given up, and messages that no call could read. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const closed = { fifo: true, encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', { ...closed, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Queue', {
      ...closed,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: timeoutOf('replay').plus(Duration.minutes(1)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: RECEIVES },
    });
  }

  /**
   * Lets the queue and the schedule wake the worker, which may move a job that it gave up to the dead letters. The
   * schedule may also wake other functions.
   */
  wake(worker: HostFunction): Rule {
    worker.live.addEventSource(new SqsEventSource(this.queue, { batchSize: 10, reportBatchItemFailures: true }));
    const look = new Rule(this, 'Look', {
      description: 'Finds jobs whose message was lost.',
      schedule: Schedule.rate(LOOKS_EVERY),
      targets: [new LambdaFunction(worker.live)],
    });
    // By default, Lambda retries a failed call twice within six hours. Here the next scheduled call retries.
    worker.live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    worker.allow(['sqs:SendMessage'], this.deadLetters.queueArn);
    worker.function.addEnvironment('DEAD_LETTERS_URL', this.deadLetters.queueUrl);
    return look;
  }

  /** Permits a function to notify the worker. */
  ringFrom(caller: HostFunction): void {
    caller.allow(['sqs:SendMessage'], this.queue.queueArn);
    caller.function.addEnvironment('JOBS_QUEUE_URL', this.queue.queueUrl);
  }
}
