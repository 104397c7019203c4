import { addStacks, checkedApp } from '../account-service.ts';

/** The program that `cdk` runs. */
addStacks(checkedApp());
