import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../paths.ts'

/** To a key's page. */
export function KeyLink({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  return (
    <Link
      to={PATHS.key}
      params={{ keyId: id }}
      className="inline-block max-w-48 truncate align-bottom text-accent hover:underline"
    >
      {name}
    </Link>
  )
}
