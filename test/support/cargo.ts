/**
 * The settings of Cargo in every test, which compiles each package again for other ones. Without what debuggers read, it
 * takes less time.
 */
export const CARGO = { CARGO_PROFILE_DEV_DEBUG: 'false' };
