import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';

/** The sender address of the tests. */
export const SENDER = 'shop@example.com';

/** Lets SES send from the address, unless it already can. */
export const verifySender = async (address: string): Promise<void> => {
  const client = new SESv2Client({});
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity: address })).catch((error: Error) => {
    if (error.name !== 'AlreadyExistsException') throw error;
  });
  client.destroy();
};
