import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../paths.ts'

/** The name of a key, the end of its secret and its tags, on one line of a table of keys. */
export function KeyName(props: {
  readonly id: string
  readonly name: string
  readonly secret_start: string | null
  readonly secret_end: string | null
  readonly tags: readonly string[]
}): ReactNode {
  const tags = props.tags.join(', ')
  return (
    <span className="flex max-w-full items-baseline gap-1.5">
      <Link
        to={PATHS.key}
        params={{ keyId: props.id }}
        title={props.name}
        className="truncate font-medium text-accent hover:underline"
      >
        {props.name}
      </Link>
      {props.secret_end !== null && (
        <code
          title={`${props.secret_start ?? ''}…${props.secret_end}`}
          className="shrink-0 font-mono text-xs font-normal text-ink-3"
        >
          …{props.secret_end}
        </code>
      )}
      {tags !== '' && (
        // The name needs the room first.
        <span title={tags} className="min-w-0 shrink-[9] truncate text-xs font-normal text-ink-3">
          {tags}
        </span>
      )}
    </span>
  )
}
