export * from '../../adapters/filesystem/download-signature.ts';
export * from '../../adapters/filesystem/filesystem-objects.ts';
export * from '../../adapters/filesystem/upload-signature.ts';
export * from '../../adapters/memory/memory-objects.ts';
