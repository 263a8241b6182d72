import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { instanceQuery } from '../../api/instance.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'

/** Both addresses that clients ask for: half of all wrong setups use the one where the other was meant. */
export function BaseUrls(): ReactNode {
  const t = useTexts('keys').baseUrls
  const origin = useQuery(instanceQuery).data?.origin ?? location.origin
  return (
    <section aria-label={t.title} className="card mb-5 grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2">
      <CopyField label={`${t.openai} · Base URL`} value={`${origin}/v1`} hint={t.openaiHint} />
      <CopyField label={`${t.anthropic} · Base URL`} value={origin} hint={t.anthropicHint} />
    </section>
  )
}
