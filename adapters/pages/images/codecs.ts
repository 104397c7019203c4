import { createJimp } from '@jimp/core';
import jpeg from '@jimp/js-jpeg';
import png from '@jimp/js-png';
import { methods as resizing } from '@jimp/plugin-resize';

/** Jimp with the parts that thumbnails need. The package `jimp` has all of them, which take five times the disk. */
export const Jimp = createJimp({ formats: [jpeg, png], plugins: [resizing] });
