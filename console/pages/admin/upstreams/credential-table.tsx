import { SaidAdvice } from '../../faults/said-advice.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { UpstreamStatusView, UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { addCredentials, changeCredential, replaceSecret, tryUpstream } from '../../../api/upstream-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { eachOf } from '../accounts/each-of.ts'
import { useForm } from '../../../forms/use-form.ts'
import { ChangeCredential, MintedWords } from './change-credential.tsx'
import { credentialInput, MintedFields, mintedSource, SettingFields, SourceField } from './credential-fields.tsx'
import { mintedProblem, settingProblems } from './address-problems.ts'
import { sourcesOf } from './vendors.ts'
import { MOST_SECRETS, secretsIn } from './address-form.ts'
import { newNames } from './found-address.ts'
import { FailedCount, FirstByte, LastFailure, StateBadge } from './last-failure.tsx'
import { TrialFields } from './trial-fields.tsx'
import { PLAIN_TRIAL, trialBody } from './trial-options.ts'
import { TrialResult, useTrialSaid } from './trial-result.tsx'

type Credential = UpstreamView['credentials'][number]
type State = UpstreamStatusView['credentials'][number]
type Opened = { readonly what: 'test' | 'replace' | 'change'; readonly name: string }

/** Each credential with how it stands, and what can be done with it alone. */
export function CredentialTable(props: {
  readonly upstream: UpstreamView
  readonly status: UpstreamStatusView | null
}): ReactNode {
  const { upstream, status } = props
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = (): void => setOpened(null)
  const changed = opened?.what === 'change' ? upstream.credentials.find(({ name }) => name === opened.name) : undefined
  const stateOf = new Map(status?.credentials.map((state) => [state.name, state]))
  return (
    <>
      <ul>
        {upstream.credentials.map((credential) => (
          <CredentialRow
            key={credential.name}
            upstream={upstream}
            credential={credential}
            state={stateOf.get(credential.name) ?? null}
            onOpen={(what) => setOpened({ what, name: credential.name })}
          />
        ))}
      </ul>
      {opened?.what === 'test' && <TestCredential upstream={upstream} name={opened.name} onClose={close} />}
      {opened?.what === 'replace' && <ReplaceSecret upstream={upstream} name={opened.name} onClose={close} />}
      {changed !== undefined && <ChangeCredential upstream={upstream} credential={changed} onClose={close} />}
    </>
  )
}

function CredentialRow(props: {
  readonly upstream: UpstreamView
  readonly credential: Credential
  readonly state: State | null
  onOpen(what: Opened['what']): void
}): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const mayChange = useMay('catalogue')
  const { upstream, state, onOpen } = props
  const { name, weight, spend_per_day: cap, max_concurrency: most, shadow } = props.credential
  const inFlight = state === null ? '–' : format.number(state.in_flight)
  const spent = state?.spent_today ?? null
  const ofCap = cap === null || spent === null ? null : t.ofLimit(format.money(spent), format.money(cap))
  const isShadow = shadow.includes('spend_per_day')
  const isMinted = (props.credential.kind ?? 'static') !== 'static'
  const isRenewing = state?.state === 'renewal_failing'
  const isOneOfSeveral = isMinted || sourcesOf(upstream).length > 1
  const way = isOneOfSeveral
    ? ({ what: 'change', text: t.change } as const)
    : ({ what: 'replace', text: t.replace } as const)
  const signs = [
    `${t.columns.weight} ${weight}`,
    `${t.columns.load} ${most === null ? inFlight : t.ofLimit(inFlight, format.number(most))}`,
    ...(state !== null && state.count > 1 ? [t.inARow(format.number(state.count))] : []),
    ...(ofCap === null ? [] : [`${t.columns.spent} ${isShadow ? t.shadow.cap(ofCap) : ofCap}`]),
  ]
  return (
    <li
      aria-label={name}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0"
    >
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
          {state?.secret_end != null && <code className="font-mono text-xs text-ink-3">…{state.secret_end}</code>}
          <StateBadge state={state?.state ?? null} />
          {state?.until != null && !isRenewing && (
            <span className="text-sm text-ink-3">{t.until(format.time(state.until))}</span>
          )}
        </p>
        <p className="text-sm text-ink-2">
          {signs.join(' · ')} · {t.columns.failed} <FailedCount status={state} />
          {state !== null && state.first_byte_ms !== null && (
            <>
              {' · '}
              {t.columns.firstByte} <FirstByte times={state.first_byte_ms} />
            </>
          )}
        </p>
        {isMinted && <MintedWords credential={props.credential} />}
        {isRenewing && state.since !== null && state.until !== null && (
          <p className="text-sm">{t.renewalFailing(format.time(state.since), format.time(state.until))}</p>
        )}
        {state?.said != null && (
          <p className="text-sm [overflow-wrap:anywhere] text-bad">
            {t.providerSaid(state.said)} <SaidAdvice said={state.said} />
          </p>
        )}
        {state?.last_failure != null && (
          // The same words are said once.
          <LastFailure failure={state.said === null ? state.last_failure : { ...state.last_failure, said: null }} />
        )}
      </div>
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          <Button aria-label={`${t.test} ${name}`} onClick={() => onOpen('test')}>
            {t.test}
          </Button>
          <StateButton upstreamId={upstream.id} name={name} state={state} />
          {!upstream.managed && (
            <Button aria-label={`${way.text} ${name}`} onClick={() => onOpen(way.what)}>
              {way.text}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

type CredentialChange = Parameters<typeof changeCredential>[1]

/** What ends the state that a credential is in, or takes it out by hand. null: its state is not known yet. */
function StateButton(props: {
  readonly upstreamId: string
  readonly name: string
  readonly state: UpstreamStatusView['credentials'][number] | null
}): ReactNode {
  const t = useTexts('upstreams')
  const queries = useQueryClient()
  const { upstreamId, name } = props
  const change = useVersionedEdit<CredentialChange>({
    version: props.state?.version ?? '',
    send: (to, version) => changeCredential({ upstreamId, name }, to, version),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  if (props.state === null) return null
  const { state } = props.state
  const button = (text: string, to: CredentialChange): ReactNode => (
    <Button isBusy={change.isPending} aria-label={`${text} ${name}`} onClick={() => change.press(to)}>
      {text}
    </Button>
  )
  return (
    <>
      {change.dialog}
      {state === 'held' && button(t.release, { held: false })}
      {state === 'disabled' ? button(t.enable, { disabled: false }) : button(t.disable, { disabled: true })}
    </>
  )
}

/** Gives one credential of a pool another secret. */
function ReplaceSecret(props: { readonly upstream: UpstreamView; readonly name: string; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').replacing
  const { name, onClose } = props
  // As it was when the form was opened: the rest of the pool is sent along.
  const [upstream] = useState(props.upstream)
  const form = useForm({
    initial: { credentials: '' },
    validate: ({ credentials }) => ({ credentials: credentials.trim() === '' && 'required' }),
    send: ({ credentials }, { version }) =>
      replaceSecret(upstream, { name, secret: credentials.trim(), version: version ?? upstream.version }),
    done: () => t.done(name),
    refreshes: ['upstreams'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title(name)} description={t.lead} action={t.action} onClose={onClose}>
      <TextField {...form.text('credentials', t.secret)} type="password" isSecret autoComplete="off" />
    </FormDialog>
  )
}

/** One real request with one credential, for a model, in a protocol and with a text of the admin's choice. */
function TestCredential(props: { readonly upstream: UpstreamView; readonly name: string; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').testing
  const queries = useQueryClient()
  const { upstream, name } = props
  const [model, setModel] = useState(upstream.models[0] ?? '')
  const [options, setOptions] = useState(PLAIN_TRIAL)
  const trial = useMutation({
    mutationFn: () => tryUpstream(upstream.id, { model, credential: name, ...trialBody(options) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  return (
    <Dialog
      isOpen
      size="small"
      title={t.title(name)}
      description={t.lead}
      onClose={props.onClose}
      {...(upstream.models.length === 0
        ? {}
        : {
            foot: (
              <Button look="primary" isBusy={trial.isPending} onClick={() => trial.mutate()}>
                {t.send}
              </Button>
            ),
          })}
    >
      {upstream.models.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <div className="grid gap-4">
          <SelectField
            name="model"
            label={t.model}
            value={model}
            onValue={setModel}
            options={upstream.models.map((value) => ({ value, label: value }))}
          />
          <TrialFields options={options} onOptions={setOptions} />
          {trial.error !== null && <ErrorState error={trial.error} />}
          {trial.data !== undefined && <TrialResult trial={trial.data} />}
        </div>
      )}
    </Dialog>
  )
}

/** What came of the test of a credential. `null`: there is no model to ask for. */
interface Line {
  readonly name: string
  readonly came: { readonly trial: UpstreamTrialView } | { readonly error: unknown } | null
}

/** More credentials for a pool, one a line; each is tested by one small real request, and says what came of it. */
export function AddCredentials(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').pooling
  const shared = useSharedTexts()
  // As it was when the form was opened: the rest of the pool is sent along.
  const [upstream] = useState(props.upstream)
  const words = useTexts('connecting')
  const sources = sourcesOf(upstream)
  const [lines, setLines] = useState<readonly Line[] | null>(null)
  const form = useForm({
    initial: { source: sources[0] ?? '', settings: {}, secret: '' },
    validate: ({ source, settings, secret }) => {
      const count = secretsIn(secret).length
      const isMinted = mintedSource(source) !== null
      const wrong = count === 0 ? 'required' : count > MOST_SECRETS && 'tooMany'
      return { ...settingProblems(source, settings), secret: isMinted ? mintedProblem(source, secret) : wrong }
    },
    messages: { tooMany: t.tooMany(MOST_SECRETS), ...words.problems },
    send: async (values, { version }) => {
      const inputs =
        mintedSource(values.source) === null
          ? secretsIn(values.secret).map((secret) => ({ secret }))
          : [credentialInput(values)]
      const names = newNames(upstream.credentials, inputs.length)
      const added = names.map((name, index) => ({ name, ...inputs[index] }))
      await addCredentials(upstream, { added, version: version ?? upstream.version })
      return testEach(upstream, names)
    },
    onDone: (tested, change) => {
      change({ secret: '' })
      setLines(tested)
    },
    refreshes: ['upstreams', 'attention'],
    onTheirs: props.onClose,
  })
  if (lines !== null) {
    return (
      <Dialog isOpen size="small" title={t.added(lines.length)} onClose={props.onClose}>
        <ol className="mb-4 grid gap-1">
          {lines.map(({ name, came }) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              {name}: <TestedWords came={came} />
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
      {sources.length > 1 && (
        <SourceField
          label={words.signIn}
          sources={sources}
          value={form.values.source}
          onValue={(source) => form.change({ source, settings: {}, secret: '' })}
        />
      )}
      {mintedSource(form.values.source) === null ? (
        <TextAreaField
          {...form.text('secret', t.secrets)}
          hint={t.hint}
          rows={5}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
        />
      ) : (
        <MintedFields value={form.values} secretName="secret" errorOf={form.errorOf} onValue={form.change} />
      )}
      <SettingFields value={form.values} need="optional" errorOf={form.errorOf} onValue={form.change} />
    </FormDialog>
  )
}

function TestedWords({ came }: Pick<Line, 'came'>): ReactNode {
  const t = useTexts('upstreams').pooling
  const problemText = useProblemText()
  const trialSaid = useTrialSaid()
  if (came === null) return <span className="text-ink-3">{t.untested}</span>
  if ('error' in came) return <span className="text-bad">{problemText(came.error)}</span>
  const { trial } = came
  if (trial.ok) return <span className="text-good">{t.answers}</span>
  return (
    <>
      <span className="text-bad">{trialSaid(trial)}</span>
      {trial.said !== null && <SaidAdvice said={trial.said} />}
    </>
  )
}

async function testEach(upstream: UpstreamView, names: readonly string[]): Promise<readonly Line[]> {
  const [model] = upstream.models
  if (model === undefined) return names.map((name) => ({ name, came: null }))
  const trials = new Map<string, UpstreamTrialView>()
  const outcomes = await eachOf(names, async (credential) => {
    trials.set(credential, await tryUpstream(upstream.id, { model, credential }))
  })
  return outcomes.map(({ item: name, error }) => {
    const trial = trials.get(name)
    return { name, came: trial === undefined ? { error } : { trial } }
  })
}
