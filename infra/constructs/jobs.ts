import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type HostFunction, timeoutOf } from './host-function.ts';

/** Minutes after which a job whose message was lost is found. */
const LOOKS_EVERY = Duration.minutes(5);

/** How often a message may come back before it is a dead letter: the attempts of a job, and a spare one. */
const RECEIVES = 6;

/**
 * The bell of the jobs: a queue that wakes the worker's function, and a schedule for what the queue lost. The jobs
 * themselves are in the table, where the worker takes them one after the other.
 *
 * The queue is FIFO, and all messages are in one group, so that Lambda calls the function for one of them at a time. To
 * reserve one instance for the function would do the same, but an account with few instances can't reserve any, and the
 * queue's polls would fill the dead letters with messages that no instance was free for. The schedule calls the function
 * directly: after a crash it does not wait behind the message that crashed, and the job's lease keeps two calls apart.
 */
export class Jobs extends Construct {
  readonly queue: Queue;
  /** Messages of jobs that were given up, and those that no call could read. */
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
   * Lets the queue and the schedule wake the worker, which may put a job that it gave up among the dead letters. The
   * schedule may wake other functions, too.
   */
  wake(worker: HostFunction): Rule {
    worker.live.addEventSource(new SqsEventSource(this.queue, { batchSize: 10, reportBatchItemFailures: true }));
    const look = new Rule(this, 'Look', {
      description: 'Finds jobs whose message was lost.',
      schedule: Schedule.rate(LOOKS_EVERY),
      targets: [new LambdaFunction(worker.live)],
    });
    // Lambda itself makes a failed call again, twice within six hours by default. Here the next look does.
    worker.live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    worker.allow(['sqs:SendMessage'], this.deadLetters.queueArn);
    worker.function.addEnvironment('DEAD_LETTERS_URL', this.deadLetters.queueUrl);
    return look;
  }

  /** Lets a function ring. */
  ringFrom(caller: HostFunction): void {
    caller.allow(['sqs:SendMessage'], this.queue.queueArn);
    caller.function.addEnvironment('JOBS_QUEUE_URL', this.queue.queueUrl);
  }
}
