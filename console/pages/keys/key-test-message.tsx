import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SetupClient } from '../../../src/contract/setup.ts'
import { keySetupQuery } from '../../api/key-setup.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import TestMessage from './test-message.tsx'

type SetupWay = SetupClient['ways'][number]

/** A test message to a model of the key that can be chosen: the suggested one first. Nothing where it can call no chat model. */
export function KeyTestMessage({ keyId }: { readonly keyId: string }): ReactNode {
  const t = useTexts('key').message
  const setup = useQuery(keySetupQuery(keyId))
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <QueryView query={setup} skeleton={<SkeletonLines count={2} />}>
      {({ clients }) => {
        const way = widest(clients.flatMap(({ ways }) => ways))
        const model = chosen ?? way?.models[0]
        if (way === undefined || model === undefined) return null
        return (
          <div className="grid grid-cols-1 gap-3">
            <SelectField
              name="model"
              label={t.model}
              options={way.models.map((name) => ({ value: name, label: name }))}
              value={model}
              onValue={setChosen}
            />
            <TestMessage key={model} keyId={keyId} asked={{ model, protocol: way.protocol }} />
          </div>
        )
      }}
    </QueryView>
  )
}

/** The protocol that most of the key's models speak. */
function widest(ways: readonly SetupWay[]): SetupWay | undefined {
  return ways.reduce<SetupWay | undefined>(
    (best, way) => (way.models.length > (best?.models.length ?? 0) ? way : best),
    undefined,
  )
}
