/** Why a node cannot use its database, in the words that `/readyz`, the list of what needs attention and `tollgate doctor` share. */

export const STORE_FAILURES = ['disk_full', 'read_only', 'files_moved', 'unreachable', 'behind', 'failing'] as const

export type StoreFailure = (typeof STORE_FAILURES)[number]

/** Texts for admins: what is wrong, and what to do about it. Each is one or two whole sentences. */
export const STORE_FAILURE_TEXTS: Readonly<Record<StoreFailure, { readonly cause: string; readonly remedy: string }>> =
  {
    disk_full: {
      cause: 'The disk of the database is full.',
      remedy: 'Free up space, or enlarge it.',
    },
    read_only: {
      cause: 'The database is read-only.',
      remedy:
        'Make it writable: check how its disk is mounted, whose its files are, and whether the server is a standby.',
    },
    files_moved: {
      cause: 'The files of the database were moved, replaced or deleted while the gateway runs.',
      remedy: 'Put them back. If they are gone, stop the gateway and start it on the copy that the log names.',
    },
    unreachable: {
      cause: 'The database does not respond.',
      remedy: 'Check that it runs, that it takes more connections, and the network and any pooler in between.',
    },
    behind: {
      cause: 'The database is too slow: more usage records wait for it than the gateway keeps.',
      remedy: 'Check its load and its disk.',
    },
    failing: {
      cause: 'The database does not take what the gateway writes.',
      remedy: 'The log of the gateway has its message.',
    },
  }

/** Whether the text is the code of such a failure. */
export function isStoreFailure(text: unknown): text is StoreFailure {
  return STORE_FAILURES.some((failure) => failure === text)
}
