import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Clues, NOTHING } from '../../../src/causes/pasted-text.ts'
import { keysQuery } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import { diagnoseDictionary } from '../../dictionaries/diagnose.ts'
import { Field } from '../../forms/field.tsx'
import { Button } from '../../ui/button.tsx'
import { NotRead } from '../../ui/error-state.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { KeyCombobox } from '../key-combobox.tsx'
import { CHAT_WIRES, wireTitle } from '../wire-names.ts'

/** A key, a model and a protocol, judged as the gateway would judge a request now. */
export function TestKey({ clues, onTest }: { readonly clues: Clues | null; onTest(clues: Clues): void }): ReactNode {
  const t = diagnoseDictionary.useTexts()
  // The one that the clues name, whichever of any number it is; else the one that was used last.
  const likely = useQuery(keysQuery({ sort: 'last_used_at', order: 'desc', limit: 1, search: clues?.end ?? '' }))
  const [suggested] = likely.data?.data ?? []
  const models = useQuery(modelsQuery).data ?? []
  const [key, setKey] = useState<string | null>()
  const [model, setModel] = useState<string | null>(clues?.model ?? null)
  const [protocol, setProtocol] = useState<string>(clues?.protocol ?? 'openai-chat')
  const chosen = key === undefined ? (suggested?.id ?? null) : key
  return (
    <Section title={t.test} lead={t.testLead}>
      <NotRead query={likely} />
      <form
        className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen === null) return
          onTest({ ...NOTHING, end: chosen, model, protocol: protocol as Clues['protocol'], seen: ['key'] })
        }}
      >
        <div className="min-w-0">
          <span aria-hidden="true" className="mb-1 block font-medium">
            {t.key}
          </span>
          <KeyCombobox
            label={t.key}
            placeholder={t.keyPlaceholder}
            value={chosen}
            name={suggested?.name}
            onValue={setKey}
          />
        </div>
        <Field name="model" label={t.model}>
          {(control) => (
            <Combobox
              {...control}
              placeholder={t.anyModel}
              value={model}
              onValue={setModel}
              options={models.map(({ name }) => ({ value: name, label: name }))}
            />
          )}
        </Field>
        <Field name="protocol" label={t.protocol}>
          {(control) => (
            <Select
              {...control}
              value={protocol}
              onValue={setProtocol}
              options={CHAT_WIRES.map((wire) => ({ value: wire, label: wireTitle(wire) }))}
            />
          )}
        </Field>
        <Button type="submit" icon="play" aria-disabled={chosen === null}>
          {t.check}
        </Button>
      </form>
    </Section>
  )
}
