/** The part of a key's page where it is tested, in the address. */
export const KEY_TEST = 'test'
