export type Walker = 'anonymous' | 'other' | 'owner' | 'admin' | 'adminToken'

/** What one route answers to each kind of caller. */
export type Statuses = Readonly<Record<Walker, number>>

/** Statuses for an account's own objects. The admin token has none. */
export function ownOnly(status = 200): Statuses {
  return { anonymous: 401, other: status, owner: status, admin: status, adminToken: 422 }
}

/** Statuses for an object of the owner's. */
export function ofOwner(status = 200): Statuses {
  return { anonymous: 401, other: 404, owner: status, admin: status, adminToken: status }
}

/** Statuses for what an object's owner alone may do, whatever the role of others. */
export function ofHolder(status = 200): Statuses {
  return { anonymous: 401, other: 404, owner: status, admin: 404, adminToken: 422 }
}

export function adminOnly(status = 200): Statuses {
  return { anonymous: 401, other: 403, owner: 403, admin: status, adminToken: status }
}

/** Statuses for every account and the admin token alike. */
export function allAlike(status = 200): Statuses {
  return { anonymous: 401, other: status, owner: status, admin: status, adminToken: status }
}
