import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keySetupQuery } from '../../../api/key-setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Section } from '../../../ui/section.tsx'
import { ImportGuide } from '../../keys/set-up/import-guide.tsx'
import { useListedModels } from '../../keys/set-up/listed-models.ts'

/** Links that put the same key into another program, while its secret is still at hand. */
export default function SecondClient(props: { readonly keyId: string; readonly secret: string }): ReactNode {
  const t = useTexts('start').success
  const setup = useQuery(keySetupQuery(props.keyId, useListedModels())).data
  if (setup === undefined || setup.imports.length === 0) return null
  return (
    <div className="mb-6">
      <Section title={t.second} lead={t.secondLead}>
        <ImportGuide setup={setup} secret={props.secret} />
      </Section>
    </div>
  )
}
