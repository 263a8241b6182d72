/** Something that running gateways hold in memory has changed; `seq` grows by one with each. */
export interface Change {
  readonly seq: number
  readonly subject: ChangeSubject
  readonly subjectId: string
}

/** `catalog`: any group, model or upstream. */
export type ChangeSubject = 'key' | 'account' | 'catalog'
