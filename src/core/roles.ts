/**
 * The roles of accounts and what each may do beside its own things. Every role but `user` reads what is of others and of the
 * installation, secrets excepted; what it may change is its rights.
 */
export const ROLES = ['user', 'auditor', 'operator', 'finance', 'admin'] as const
export type Role = (typeof ROLES)[number]

/**
 * `staff`: reads everything but secrets. `catalogue`: changes upstreams, models and groups. `prices`: changes what models
 * cost. `books`: changes ledgers, plans, subscriptions and redeem codes. `admin`: changes accounts, settings, announcements,
 * and what is of others.
 */
export const RIGHTS = ['staff', 'catalogue', 'prices', 'books', 'admin'] as const
export type Right = (typeof RIGHTS)[number]

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  user: [],
  auditor: ['staff'],
  operator: ['staff', 'catalogue', 'prices'],
  finance: ['staff', 'prices', 'books'],
  admin: RIGHTS,
}

/** What a role may do beside its own things. A role of a later version may do nothing. */
export function rightsOf(role: Role): readonly Right[] {
  return Object.hasOwn(RIGHTS_OF, role) ? RIGHTS_OF[role] : []
}

/** The roles that have a right, the least powerful first. */
export function rolesWith(right: Right): readonly Role[] {
  return ROLES.filter((role) => rightsOf(role).includes(right))
}

/** Whether one of these roles has a right that the other lacks. */
export function losesRights(before: Role, after: Role): boolean {
  return !mayGrant(rightsOf(after), before)
}

/** Whether one who has `rights` may give an account this role: only rights of one’s own can be given. */
export function mayGrant(rights: readonly Right[], role: Role): boolean {
  return rightsOf(role).every((right) => rights.includes(right))
}
