/** Something that running gateways hold in memory has changed; `seq` grows by one with each. */
export interface Change {
  readonly seq: number
  readonly subject: ChangeSubject
  readonly subjectId: string
}

/**
 * `catalog`: any group, model, upstream or announcement. `limits`: those of all accounts. `funds`: an account, named by its id, has more to spend than was known; nothing else
 * about it has changed.
 */
export type ChangeSubject = 'key' | 'account' | 'catalog' | 'limits' | 'funds'
