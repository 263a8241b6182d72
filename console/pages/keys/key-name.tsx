import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'

/** The name of a key, what is kept of its secret, and its tags, in a table of keys. */
export function KeyName(props: {
  readonly id: string
  readonly name: string
  readonly secret_start: string | null
  readonly secret_end: string | null
  readonly tags: readonly string[]
}): ReactNode {
  return (
    <>
      <Link
        to={PATHS.key}
        params={{ keyId: props.id }}
        title={props.name}
        className="line-clamp-2 font-medium text-accent hover:underline"
      >
        {props.name}
      </Link>
      <code className="block font-mono text-xs font-normal whitespace-nowrap text-ink-3">
        {props.secret_start}…{props.secret_end}
      </code>
      {props.tags.length > 0 && (
        <span className="mt-1 flex flex-wrap gap-1">
          {props.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      )}
    </>
  )
}
