import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { addCredentials, tryUpstream } from '../../../api/upstream-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { TextAreaField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { eachOf } from '../accounts/each-of.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { newNames } from './new-names.ts'
import { secretsOf } from './found-address.ts'

const MOST_SECRETS = 50

interface Line {
  readonly name: string
  /** null: there is no model to ask for, so it is not known. */
  readonly isGood: boolean | null
  readonly why: unknown
}

/** More credentials for a pool, one a line; each is tested by one small real request, and says what came of it. */
export default function AddCredentials(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').pooling
  const shared = useSharedTexts()
  const problemText = useProblemText()
  // As it was when the form was opened: the rest of the pool is sent along.
  const [upstream] = useState(props.upstream)
  const [lines, setLines] = useState<readonly Line[] | null>(null)
  const form = useForm({
    initial: { credentials: '' },
    validate: ({ credentials: secrets }) => {
      const count = secretsOf({ secrets }).length
      return { credentials: count === 0 ? 'required' : count > MOST_SECRETS && 'tooMany' }
    },
    messages: { tooMany: t.tooMany(MOST_SECRETS) },
    send: async ({ credentials: secrets }, { version }) => {
      const pasted = secretsOf({ secrets })
      const names = newNames(upstream.credentials, pasted.length)
      const added = names.map((name, index) => ({ name, secret: pasted[index] ?? '' }))
      await addCredentials(upstream, { added, version: version ?? upstream.version })
      return testEach(upstream, names)
    },
    onDone: (tested, change) => {
      change({ credentials: '' })
      setLines(tested)
    },
    refreshes: ['upstreams', 'attention'],
    onTheirs: props.onClose,
  })
  if (lines !== null) {
    return (
      <Dialog isOpen size="small" title={t.added(lines.length)} onClose={props.onClose}>
        <ol className="mb-4 grid gap-1">
          {lines.map(({ name, isGood, why }) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              {name}:{' '}
              <span className={isGood === null ? 'text-ink-3' : isGood ? 'text-good' : 'text-bad'}>
                {isGood === null ? t.untested : isGood ? t.answers : typeof why === 'string' ? why : problemText(why)}
              </span>
            </li>
          ))}
        </ol>
        <div className="flex justify-end">
          <Button onClick={props.onClose}>{shared.close}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog form={form} size="small" title={t.title} description={t.lead} action={t.action} onClose={props.onClose}>
      <TextAreaField
        name="credentials"
        label={t.secrets}
        hint={t.hint}
        error={form.errorOf('credentials')}
        rows={5}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-sm"
        value={form.values.credentials}
        onValue={(text) => form.change({ credentials: text })}
      />
    </FormDialog>
  )
}

async function testEach(upstream: UpstreamView, names: readonly string[]): Promise<readonly Line[]> {
  const [model] = upstream.models
  if (model === undefined) return names.map((name) => ({ name, isGood: null, why: null }))
  const said = new Map<string, Omit<Line, 'name'>>()
  const outcomes = await eachOf(names, async (credential) => {
    const { ok, detail } = await tryUpstream(upstream.id, { model, credential })
    said.set(credential, { isGood: ok, why: detail })
  })
  return outcomes.map(({ item: name, error }) => ({
    name,
    ...(said.get(name) ?? { isGood: false, why: error }),
  }))
}
