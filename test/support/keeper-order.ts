/** A system user that a server runs as. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** One program that the keeper runs to its end. The last one is the server. */
export interface KeeperStep {
  readonly command: string
  readonly args: readonly string[]
}

/** What the keeper is started with, as JSON in its first argument. */
export interface KeeperOrder {
  readonly directory: string
  readonly steps: readonly KeeperStep[]
  readonly stopSignal: 'SIGTERM' | 'SIGQUIT'
  readonly user?: SystemUser
}
