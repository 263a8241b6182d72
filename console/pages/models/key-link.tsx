import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'

/** A link to a key's page. `isNarrow`: in a table, whose other columns need the width of a laptop. */
export function KeyLink(props: { readonly id: string; readonly name: string; readonly isNarrow?: boolean }): ReactNode {
  return (
    <Link
      to={PATHS.key}
      params={{ keyId: props.id }}
      className={classNames(
        'inline-block max-w-48 truncate align-bottom text-accent hover:underline',
        props.isNarrow === true && 'lg:max-2xl:max-w-24',
      )}
    >
      {props.name}
    </Link>
  )
}
