import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type Clues, NOTHING } from '../../../src/causes/pasted-text.ts'
import { keysQuery } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import { diagnoseDictionary } from '../../dictionaries/diagnose.ts'
import { Field } from '../../forms/field.tsx'
import { Button } from '../../ui/button.tsx'
import { NotRead } from '../../ui/error-state.tsx'
import { Input } from '../../ui/input.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { CHAT_WIRES, wireTitle } from '../wire-names.ts'

const TestMessage = lazyPart(() => import('../keys/test-message.tsx'))

/** The newest used ones at first; the server looks for the others. */
const KEYS_OFFERED = 20
const TYPING_MS = 200

/** A key, a model and a protocol: judged as the gateway would judge a request now, or tried with a small real one. */
export function TestKey({ clues, onTest }: { readonly clues: Clues | null; onTest(clues: Clues): void }): ReactNode {
  const t = diagnoseDictionary.useTexts()
  // What the clues name is looked for, whichever of any number of keys it is.
  const [sought, setSought] = useState(clues?.end ?? '')
  const offered = useQuery(keysQuery({ sort: 'last_used_at', order: 'desc', limit: KEYS_OFFERED, search: sought }))
  const keys = offered.data?.data ?? []
  const isMore = sought !== '' || (offered.data?.next_cursor ?? null) !== null
  const models = useQuery(modelsQuery).data ?? []
  const [key, setKey] = useState<string | null>(null)
  const [model, setModel] = useState<string | null>(clues?.model ?? null)
  const [protocol, setProtocol] = useState<string>(clues?.protocol ?? 'openai-chat')
  const chosen = keys.find(({ id }) => id === key)?.id ?? keys[0]?.id ?? null
  return (
    <Section title={t.test} lead={t.testLead}>
      <NotRead query={offered} />
      <form
        className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen === null) return
          onTest({ ...NOTHING, end: chosen, model, protocol: protocol as Clues['protocol'], seen: ['key'] })
        }}
      >
        <Field name="key" label={t.key}>
          {(control) => (
            <div className="grid gap-1.5">
              {isMore && <KeySearch label={t.findKey} initial={sought} onSearch={setSought} />}
              <Select<string>
                {...control}
                value={chosen ?? ''}
                onValue={setKey}
                options={keys.map(({ id, name, secret_end: end }) => ({ value: id, label: `${name} · …${end}` }))}
              />
            </div>
          )}
        </Field>
        <Field name="model" label={t.model}>
          {(control) => (
            <Select<string>
              {...control}
              value={model ?? ''}
              onValue={(name) => setModel(name === '' ? null : name)}
              options={[{ value: '', label: t.anyModel }, ...models.map(({ name }) => ({ value: name, label: name }))]}
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
      <div className="mt-4 grid grid-cols-1 gap-2 border-t border-line pt-4">
        <h3 className="font-medium">{t.live}</h3>
        {chosen === null || model === null ? (
          <p className="text-sm text-ink-2">{t.liveNeeds}</p>
        ) : (
          <TestMessage
            key={`${chosen} ${model} ${protocol}`}
            keyId={chosen}
            asked={{ model, protocol: protocol as NonNullable<Clues['protocol']> }}
          />
        )}
      </div>
    </Section>
  )
}

/** The server is asked for what is typed, in names and in the shown parts of secrets, once the typing pauses. */
function KeySearch(props: {
  readonly label: string
  readonly initial: string
  onSearch(text: string): void
}): ReactNode {
  const [typed, setTyped] = useState(props.initial)
  useEffect(() => {
    const timer = setTimeout(() => props.onSearch(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
    // Only what is typed starts the wait.
  }, [typed])
  return (
    <Input
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
