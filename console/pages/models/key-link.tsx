import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../paths.ts'

/** To a key, found by its id. */
export function KeyLink({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  return (
    <Link
      to={PATHS.keys}
      search={{ q: id }}
      className="inline-block max-w-48 truncate align-bottom text-accent hover:underline"
    >
      {name}
    </Link>
  )
}
