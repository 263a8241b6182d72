/** What one node may open to the database, and what its server grants. */
export interface ConnectionNeeds {
  /** How many all that have this role may open; null: as many as are wanted. */
  readonly granted: number | null
  /** TOLLGATE_DATABASE_CONNECTIONS. */
  readonly ofThread: number
  readonly threads: number
}

/** A sentence for a node that may open more connections than there are for all of its role; null: there are enough. */
export function lackingConnections({ granted, ofThread, threads }: ConnectionNeeds): string | null {
  // Each thread listens to changes on one more, and one is opened where a connection is in doubt.
  const needed = threads * (ofThread + 1) + 1
  if (granted === null || needed <= granted) return null
  const fitting = Math.floor((granted - 1) / threads) - 1
  const remedy = fitting < 1 ? 'raise its limit' : `raise its limit, or set it to ${fitting} or less`
  return `TOLLGATE_DATABASE_CONNECTIONS is ${ofThread}, so that this node may open ${needed} connections to the database, and the server grants its role ${granted} for all nodes: requests may wait for each other; ${remedy}`
}
