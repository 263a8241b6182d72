import { randomBytes } from 'node:crypto'

/** Text that is made once in each process and cannot be guessed from outside, so that a mark with it in it is our own. */
export const UNGUESSABLE = randomBytes(15).toString('base64url')
