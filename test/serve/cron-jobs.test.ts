import { expect, it } from 'vitest';
import { JOB, serving } from './server.ts';

const post = async (schedule: string, timeZone: string) => {
  const server = await serving();
  const spec = { schedule, timeZone, jobTemplate: { spec: JOB } };
  const path = '/apis/batch/v1/namespaces/default/cronjobs';
  return server.send('POST', path, { metadata: { name: 'a' }, spec });
};

it.each([
  ...['*/5 * * * *', '0 22 * * 1-5', '0 0 1,15 JAN-mar ?', '1-5/2 */61 * * 0', '@daily'],
  ...['@every 1h30m', '@every .5h', '  * *  * * *', '5/15 * * * SUN'],
])('a CronJob has the schedule %j', async (schedule) => {
  expect((await post(schedule, 'Europe/Berlin')).code).toBe(201);
});

it.each([
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['61 * * * *', 'end of range (61) above maximum (59): 61'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['H * * * *', 'failed to parse int from H: strconv.Atoi: parsing "H": invalid syntax'],
  ['@never', 'unrecognized descriptor: @never'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['TZ=UTC @daily', 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'],
])('no CronJob has the schedule %j', async (schedule, why) => {
  const { code, body } = await post(schedule, 'Nowhere/Else');
  expect(code).toBe(422);
  expect(body).toHaveProperty(
    'message',
    expect.stringContaining(
      `[spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${why}, spec.timeZone: Invalid value: "Nowhere/Else": unknown time zone Nowhere/Else]`,
    ),
  );
});
