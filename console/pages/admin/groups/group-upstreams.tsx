import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'

const NAMES_SHOWN = 2
/** Shorter names do not break at their hyphens. */
const SHORT = 16

/** The upstreams that requests of a group may go to, as many as fit into a cell. */
export function UpstreamNames({ names }: { readonly names: readonly string[] }): ReactNode {
  const format = useFormat()
  if (names.length === 0) return <span className="text-ink-3">–</span>
  const more = names.length - NAMES_SHOWN
  const comma = format.list(['', ''])
  return (
    <span title={format.list(names)} className="[overflow-wrap:anywhere]">
      {names.slice(0, NAMES_SHOWN).map((name, index) => (
        <Fragment key={name}>
          {index > 0 && comma}
          {index > 0 && <wbr />}
          <span className={name.length <= SHORT ? 'whitespace-nowrap' : undefined}>{name}</span>
        </Fragment>
      ))}
      {more > 0 && <span className="whitespace-nowrap text-ink-3"> +{format.number(more)}</span>}
    </span>
  )
}

/** All of them, and where that is set. */
export function UpstreamsOfGroup({ names }: { readonly names: readonly string[] }): ReactNode {
  const t = useTexts('groups')
  const format = useFormat()
  return (
    <div className="mt-2 text-sm text-ink-3 [overflow-wrap:anywhere]">
      <p>{names.length === 0 ? t.form.noUpstreams : t.form.upstreams(format.list(names))}</p>
      <p>
        {t.form.upstreamsHint}{' '}
        <Link to={ADMIN_PATHS.prices} search={{}} className="text-accent underline">
          {t.form.openModels}
        </Link>
      </p>
    </div>
  )
}
