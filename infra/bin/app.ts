import { addStacks, checkedApp } from '../account-service.ts';

/** What `cdk` runs. */
addStacks(checkedApp());
