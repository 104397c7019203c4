import { test } from 'node:test';
import { checkAreas } from 'account-service/check-areas';
import { ratings } from './area.ts';

test('the area goes together with the service: paths, documentation, tools', () => checkAreas([ratings]));
