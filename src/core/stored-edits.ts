/**
 * How changes of stored objects that have a name (groups, models, upstreams, plans) end. `seq` is the number of the change
 * that every running gateway has to follow; null when nothing is different for them.
 */
export type AddAnswer = { readonly kind: 'added'; readonly seq: number | null } | { readonly kind: 'name_taken' }

export type EditAnswer<Stored> =
  | { readonly kind: 'edited'; readonly before: Stored; readonly after: Stored; readonly seq: number | null }
  /** Comes from the declarative file, where alone it is changed. */
  | { readonly kind: 'managed' }
  | { readonly kind: 'name_taken' | 'unknown' }

export type DeleteAnswer<Stored> =
  | { readonly kind: 'deleted'; readonly before: Stored; readonly seq: number | null }
  | { readonly kind: 'in_use'; readonly uses: readonly StoredUse[] }
  | { readonly kind: 'managed' }
  | { readonly kind: 'unknown' }

/** What still needs an object: how many, and the names of some where they have names. */
export interface StoredUse {
  readonly by: 'keys' | 'plans' | 'subscriptions' | 'redeem_codes' | 'invitations' | 'models' | 'groups'
  readonly count: number
  readonly names: readonly string[]
}
