import { useState } from 'react'
import { ADMIN_GROUPS, type AdminGroupName } from '../../admin-pages.ts'

const STORED_AS = 'tollgate.admin.closed'

/** The folded groups of the navigation, remembered by this browser, and what folds or unfolds one. */
export function useClosedGroups(): readonly [ReadonlySet<AdminGroupName>, (name: AdminGroupName) => void] {
  const [closed, setClosed] = useState(remembered)
  const toggle = (name: AdminGroupName): void => {
    const next = new Set(closed)
    if (!next.delete(name)) next.add(name)
    setClosed(next)
    remember(next)
  }
  return [closed, toggle]
}

/** A browser may forbid storage altogether; then all are open at each visit. */
function remembered(): ReadonlySet<AdminGroupName> {
  try {
    const names = localStorage.getItem(STORED_AS)?.split(' ') ?? []
    return new Set(ADMIN_GROUPS.map(({ name }) => name).filter((name) => names.includes(name)))
  } catch {
    return new Set()
  }
}

function remember(closed: ReadonlySet<AdminGroupName>): void {
  try {
    localStorage.setItem(STORED_AS, [...closed].join(' '))
  } catch {
    // They are open again at the next visit.
  }
}
