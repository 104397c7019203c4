import * as z from 'zod';
import { component, dateTime, nullableText, once } from '../answers.ts';

export const deviceData = once(() =>
  component('DeviceData', {
    device_id: z.string(),
    name: nullableText,
    activated_at: dateTime,
    last_seen_at: dateTime,
    offline_until: dateTime
      .nullable()
      .describe('the end of its longest offline file, which holds the slot until then; null without one'),
    released_at: dateTime
      .nullable()
      .describe('the release of a device whose slot stays taken until `offline_until`; null otherwise'),
    shared_at: dateTime
      .nullable()
      .describe('the moment from which on two machines are known to use this one device; null otherwise'),
  }),
);

export const listed = once(() =>
  z
    .array(deviceData())
    .describe(
      'first activated first, released ones last; of more than 100 devices, 100 of them: `manage_url` shows all',
    ),
);

/** The fields that answers with and without a slot share. */
export const seat = once(() => ({
  device: deviceData().nullable().describe('the device that holds a slot; null in a refusal'),
  devices_used: z.int().describe('the number of taken slots'),
  device_limit: z.int().describe('100000 for a license without a limit'),
  manage_url: z.string().describe('where the user releases a device'),
}));

/** A session that holds a slot of a floating license. */
export const sessionData = once(() =>
  component('SessionData', {
    device_id: z.string(),
    name: nullableText,
    taken_at: dateTime,
    renewed_at: dateTime,
    expires_at: dateTime,
    borrowed_until: dateTime.nullable().describe('the end of a borrowed session, which holds its slot until then'),
  }),
);
