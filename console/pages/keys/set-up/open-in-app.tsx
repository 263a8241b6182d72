import type { ReactNode } from 'react'
import type { KeySetup, SetupClient } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { OneImport } from './import-guide.tsx'

/** The link that sets up the chosen program at once, above the fields that do the same by hand. */
export default function OpenInApp(props: {
  readonly setup: KeySetup
  readonly client: SetupClient
  readonly secret: string | null
  onCopied?(): void
}): ReactNode {
  const t = useTexts('keys').setUp
  const target = props.setup.imports.find(({ id }) => id === props.client.import)
  const option = target?.options[0]
  if (target === undefined || option === undefined) return null
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-medium">{t.byLink(target.name)}</h3>
      <OneImport {...props} key={target.id} target={target} option={option} />
      <h3 className="mt-2 font-medium">{t.byHand}</h3>
    </section>
  )
}
