const NAME = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;

/** True for the host name of a URL that leads a client to its own machine. */
export const isNameOfThisMachine = (hostname: string): boolean => NAME.test(hostname);

/** True for a loopback address, which no other machine reaches. */
export const isLoopback = (address: string): boolean => ADDRESS.test(address);
