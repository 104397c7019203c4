export * from '../../adapters/s3/cloudfront-urls.ts';
export * from '../../adapters/s3/s3-listing.ts';
export * from '../../adapters/s3/s3-objects.ts';
