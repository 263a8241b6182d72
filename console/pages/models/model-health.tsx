import type { ReactNode } from 'react'
import type { TrafficOfModel } from '../../api/models.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { classNames } from '../../ui/class-names.ts'

const COLOURS = { healthy: 'bg-good', degraded: 'bg-brass', failing: 'bg-bad' } as const

/** How a model answers, as a dot; its room alone where too little is known. The form differs, too, for those who see no colours. */
export function HealthDot({ traffic }: { readonly traffic: TrafficOfModel | null }): ReactNode {
  const t = useTexts('models')
  const answers = traffic?.answers ?? null
  if (answers === null) return <span aria-hidden="true" className="size-2" />
  return (
    <span title={t.answers[answers]} className="inline-flex">
      <span
        aria-hidden="true"
        className={classNames(
          'size-2 forced-color-adjust-none',
          COLOURS[answers],
          answers === 'healthy' ? 'rounded-full' : answers === 'failing' && 'rotate-45',
        )}
      />
      <span className="sr-only">{t.healthInShort[answers]}</span>
    </span>
  )
}
