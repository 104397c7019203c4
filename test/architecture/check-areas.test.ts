import { describe, expect, test } from 'vitest';
import { checkAreas } from '../../runtimes/composition/check-areas.ts';
import { overreaching, unloadable, withoutToolTexts, withTakenSchema } from '../surface/own-area/broken.ts';
import { countSeats } from '../surface/own-area/endpoints.ts';
import { seatsArea } from '../surface/own-area/seats.ts';

describe('the check of a team’s own areas', () => {
  test('a whole area passes', async () => {
    expect(await checkAreas([seatsArea])).toBeUndefined();
  });

  test('it throws what a start would throw', async () => {
    const astray = {
      ...seatsArea,
      endpoints: { ...seatsArea.endpoints, countSeats: { ...countSeats, path: '/seats' } },
    };
    await expect(checkAreas([astray as never])).rejects.toThrow('The endpoint countSeats is never asked');
  });

  test('it names each endpoint that the reference or MCP would leave out', async () => {
    const checking = checkAreas([seatsArea, withTakenSchema, withoutToolTexts, unloadable]);
    await expect(checking).rejects.toThrow(
      'The OpenAPI document leaves out the endpoint takenSchema. Duplicate schema id',
    );
    await expect(checking).rejects.toThrow('MCP leaves out the tool of untoldTool.');
    await expect(checking).rejects.toThrow('An area’s documentation can’t be loaded. the module has a mistake');
  });

  test.each([
    'the endpoint "getLibrary"',
    'the tool "getLibrary"',
    'the group "Library"',
    'the refusal "not_found"',
  ])('it throws where documentation describes %s of this package', async (what) => {
    await expect(checkAreas([overreaching])).rejects.toThrow(`describes ${what} of this package`);
  });
});
