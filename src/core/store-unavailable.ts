/**
 * The database cannot be asked at the moment: it is away, refuses, is full or takes no writes. It may pass, and says nothing
 * about what was asked of it. `cause` is what the driver said.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}
