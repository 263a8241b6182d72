import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ADMIN_PATHS } from '../admin-pages.ts'
import type { PATHS } from '../paths.ts'
import { Icon } from './icon.tsx'

type ListPath = (typeof ADMIN_PATHS)['accounts' | 'plans' | 'prices' | 'upstreams'] | (typeof PATHS)['keys' | 'usage']

/** Leads from the page of one entry to the page of all. */
export function BackLink(props: {
  readonly to: ListPath
  readonly search?: Readonly<Record<string, string>>
  readonly children: string
}): ReactNode {
  const { to, search = {}, children } = props
  return (
    <Link
      to={to}
      search={search}
      className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-accent hover:underline"
    >
      <Icon name="left" /> {children}
    </Link>
  )
}
