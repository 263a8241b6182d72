import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ADMIN_PATHS } from '../admin-pages.ts'
import { Icon } from './icon.tsx'

type ListPath = (typeof ADMIN_PATHS)['accounts' | 'plans' | 'prices' | 'upstreams']

/** Leads from the page of one entry to the page of all. */
export function BackLink({ to, children }: { readonly to: ListPath; readonly children: string }): ReactNode {
  return (
    <Link to={to} className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-accent hover:underline">
      <Icon name="left" /> {children}
    </Link>
  )
}
