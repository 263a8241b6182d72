import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionView } from '../../../../src/contract/attention.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { operationsDictionary } from '../../../dictionaries/operations.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { TodoItem } from './todo-item.tsx'

const STEPS = ['provider', 'model', 'group', 'answered', 'people'] as const

/** Where a step is done, as far as there is a page for it. */
function StepLink({ step }: { readonly step: keyof AttentionView['setup'] }): ReactNode {
  const t = operationsDictionary.useTexts().setup
  if (step === 'provider') {
    return (
      <Link to={ADMIN_PATHS.upstreams} search={{ new: 'upstream' }} className={buttonClass('primary')}>
        {t.steps.provider}
      </Link>
    )
  }
  if (step !== 'people') return null
  return (
    <Link to={ADMIN_PATHS.accounts} search={{ new: 'invitation' }} className={buttonClass('secondary')}>
      {t.steps.people}
    </Link>
  )
}

/** What a new installation lacks, in the order in which it is done. */
export function SetupList({ setup }: { readonly setup: AttentionView['setup'] }): ReactNode {
  const t = operationsDictionary.useTexts().setup
  return (
    <Section title={t.title} lead={t.lead}>
      <ol>
        {STEPS.map((step) => (
          <TodoItem
            key={step}
            tone={setup[step] ? 'good' : 'neutral'}
            state={setup[step] ? t.done : t.open}
            title={t.steps[step]}
            action={setup[step] ? undefined : <StepLink step={step} />}
          />
        ))}
      </ol>
    </Section>
  )
}
