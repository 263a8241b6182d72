/** Where a list that is read in parts, newest first, goes on: behind the entry with this time (epoch milliseconds) and id. */
export interface ListPlace {
  readonly createdAt: number
  readonly id: string
}
