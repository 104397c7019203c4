import { addStacks, checkedApp } from '../account-service.ts';
import { buildBundles } from '../bundles/build.ts';
import { areBuilt } from '../bundles/functions.ts';
import { readStage } from '../stage.ts';

/** The program that `cdk` runs. The first command in a checkout, such as `cdk bootstrap`, finds no bundles. */
const app = checkedApp();
const stage = readStage(app);
if (!areBuilt()) await buildBundles();
addStacks(app, stage);
