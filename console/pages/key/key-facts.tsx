import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { DetailList } from '../../ui/detail-list.tsx'
import { Section } from '../../ui/section.tsx'
import { ExpiryCell, GroupCell } from '../keys/key-cells.tsx'

/** What is set on a key, beside its limits. */
export function KeyFacts({ apiKey }: { readonly apiKey: ApiKeyView }): ReactNode {
  const t = useTexts('keys')
  const detail = useTexts('key').detail
  const format = useFormat()
  const listed = (all: readonly string[], none: string): string => (all.length === 0 ? none : format.list(all))
  return (
    <Section title={detail.facts}>
      <DetailList
        rows={[
          { label: t.columns.group, value: <GroupCell apiKey={apiKey} /> },
          ...(apiKey.fallback_groups.length === 0
            ? []
            : [{ label: t.form.fallback, value: format.list(apiKey.fallback_groups) }]),
          { label: t.columns.models, value: listed(apiKey.allowed_models, t.allModels) },
          { label: t.form.ips, value: listed(apiKey.allowed_ips, detail.allAddresses) },
          ...(apiKey.tags.length === 0 ? [] : [{ label: t.columns.tags, value: format.list(apiKey.tags) }]),
          { label: t.columns.expires, value: <ExpiryCell apiKey={apiKey} /> },
          { label: t.columns.created, value: format.time(apiKey.created_at) },
        ]}
      />
    </Section>
  )
}
