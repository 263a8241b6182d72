import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ADMIN_PATHS, adminPageAt, type MainAdminPage } from '../admin-pages.ts'
import { PATHS } from '../paths.ts'
import type { FlatSearch } from '../table/table-search.ts'

/** The console of those who run the gateway has two sides: what is their own, and the administration. */
export type Side = 'console' | 'admin'

/** One page of the console, with its filter. */
interface Address {
  readonly pathname: string
  readonly search: FlatSearch
}

const FIRST: Readonly<Record<Side, Address>> = {
  console: { pathname: PATHS.overview, search: {} },
  admin: { pathname: ADMIN_PATHS.operations, search: {} },
}

/** Where the reader is: the side, and the page of the administration where it is that. */
export function useSide(): { readonly side: Side; readonly path: string; readonly page: MainAdminPage | undefined } {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const page = adminPageAt(path)
  return { side: page === undefined ? 'console' : 'admin', path, page }
}

/** The page of each side that this tab showed last, of the other side the one to go back to. */
export function useLastPages(): Readonly<Record<Side, Address>> {
  const here = useLocation({ select: ({ pathname, search }): Address => ({ pathname, search }) })
  const { side } = useSide()
  const text = JSON.stringify(here)
  useEffect(() => {
    try {
      sessionStorage.setItem(storedAs(side), text)
    } catch {
      // The other side begins with its first page then.
    }
  }, [side, text])
  return { console: lastOf('console'), admin: lastOf('admin'), [side]: here }
}

function lastOf(side: Side): Address {
  try {
    const { pathname, search } = JSON.parse(sessionStorage.getItem(storedAs(side)) ?? '') as Partial<Address>
    const isThere = typeof pathname === 'string' && pathname.startsWith('/') && typeof search === 'object'
    return isThere ? { pathname, search } : FIRST[side]
  } catch {
    return FIRST[side]
  }
}

function storedAs(side: Side): string {
  return `tollgate.last.${side}`
}
