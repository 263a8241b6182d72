import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { LimitsReport } from '../../../../src/contract/account-limits.ts'
import type { GroupView } from '../../../../src/contract/groups.ts'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { createKey, rotateKey, type MadeKey } from '../../../api/keys.ts'
import { myLimitsQuery } from '../../../api/me.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useOneTimeSecret } from '../../../forms/use-one-time-secret.ts'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { formatMultiplier } from '../../../format/money.ts'
import { PATHS } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { creationOf, newDraft } from '../../keys/form/key-draft.ts'
import { SecretEntry } from '../../keys/set-up/secret-entry.tsx'
import { latestEnd } from '../../keys/form/validity.ts'
import { proposedName } from '../../keys/form/proposed-name.ts'

/** The form of the first key: everything is proposed, so that one press is enough. */
export function FirstKeyForm({ onMade }: { onMade(made: MadeKey): void }): ReactNode {
  const t = useTexts('start').key
  const groups = useQuery(groupsQuery)
  return (
    <QueryView query={groups} skeleton={<Skeleton className="h-26" />}>
      {({ data }) => {
        const usable = data.filter((group) => group.enabled && group.usable)
        const likely = usable.find(({ name }) => name === 'default') ?? usable[0]
        if (likely === undefined) return <Notice tone="warn">{t.noGroup}</Notice>
        return <ProposedKey groups={usable} likely={likely} onMade={onMade} />
      }}
    </QueryView>
  )
}

function ProposedKey(props: {
  readonly groups: readonly GroupView[]
  readonly likely: GroupView
  onMade(made: MadeKey): void
}): ReactNode {
  const t = useTexts('start').key
  const keys = useTexts('keys')
  const shared = useSharedTexts()
  const [written, setName] = useState<string | null>(null)
  const [groupName, setGroup] = useState(props.likely.name)
  // The proposal follows the language until another name is entered.
  const name = written ?? proposedName(navigator.userAgent, keys.proposedNames)
  const group = props.groups.find((each) => each.name === groupName) ?? props.likely
  const secret = useOneTimeSecret()
  const queries = useQueryClient()
  const limits = useQuery(myLimitsQuery)
  const submission = useSubmission<ApiKeyView>({
    fields: ['name', 'group'],
    check: (): FieldErrors => (name.trim() === '' ? { name: shared.required } : {}),
    send: async (idempotencyKey, _version, sinceMs) => {
      const days = await queries.ensureQueryData(myLimitsQuery).then(validDaysOf, () => null)
      const end = days === null ? null : latestEnd(days, sinceMs)
      const wanted = { ...creationOf(newDraft(name, group.name), sinceMs), expires_at: end }
      const answer = await createKey(wanted, idempotencyKey)
      secret.keep(answer)
      return answer.key
    },
    onDone: (key) => props.onMade({ key, secret: secret.take() }),
  })
  return (
    <Form
      submission={submission}
      className="grid grid-cols-1 gap-3"
      foot={
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" icon="plus" isBusy={submission.isSending}>
            {t.create}
          </Button>
          <Link to={PATHS.keys} className={buttonClass('quiet')}>
            {t.other}
          </Link>
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <TextField {...submission.field('name')} label={t.name} maxLength={100} value={name} onValue={setName} />
        {props.groups.length > 1 && (
          <SelectField
            {...submission.field('group')}
            label={t.group}
            options={props.groups.map((each) => ({
              value: each.name,
              label: `${each.name} ${formatMultiplier(each.multiplier)}`,
            }))}
            value={group.name}
            onValue={setGroup}
          />
        )}
      </div>
      <p className="text-sm text-ink-3">
        {shared.sentences([
          t.nameHint,
          t.about(group, group.model_count, limits.data ? validDaysOf(limits.data) : null),
        ])}
      </p>
    </Form>
  )
}

/** How many days a key of the account may be valid at most; null: forever. */
function validDaysOf({ limits }: LimitsReport): number | null {
  return limits.max_key_validity_days
}

/** The key of step 1 once it is there: its secret while it is at hand, or the ways to get at one. */
export function KeyAtHand(props: {
  readonly apiKey: ApiKeyView
  readonly secret: string | null
  readonly pasted: string
  onPasted(text: string): void
  onMade(made: MadeKey): void
  onAnother(): void
  onCopied(): void
}): ReactNode {
  const t = useTexts('start').key
  const { apiKey, secret } = props
  const rotated = useOneTimeSecret()
  const rotate = useMutation({
    mutationFn: async () => {
      const answer = await rotateKey(apiKey.id, 0)
      rotated.keep(answer)
      return answer.key
    },
    onSuccess: (key) => props.onMade({ key, secret: rotated.take() }),
  })
  // Nothing can break that was never used.
  const mayRotate = !apiKey.managed && apiKey.last_used_at === null
  const another = (
    <Button icon="plus" onClick={props.onAnother}>
      {t.another}
    </Button>
  )
  const mark = `${apiKey.secret_start}…${apiKey.secret_end}`
  if (secret !== null) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="font-medium">{apiKey.name}</span>
        <code className="font-mono text-sm text-ink-2">{mark}</code>
        {props.pasted === '' && (
          <>
            <CopyButton text={secret} what={t.copySecret} label={t.copySecret} look="quiet" onCopied={props.onCopied} />
            <span className="text-sm text-ink-3">{t.once}</span>
          </>
        )}
      </div>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <p>
        <span className="font-medium">{apiKey.name}</span> <code className="font-mono text-sm text-ink-2">{mark}</code>
        <span className="block text-sm text-ink-3">{t.noSecret}</span>
      </p>
      {mayRotate ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Button icon="rotate" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t.newSecret}
          </Button>
          <p className="min-w-0 flex-1 basis-48 text-sm text-ink-3">{t.newSecretHint}</p>
        </div>
      ) : (
        another
      )}
      {rotate.error !== null && <ErrorState error={rotate.error} />}
      <Disclosure title={t.otherWays} isOpenAtFirst={!mayRotate}>
        <div className="grid grid-cols-1 gap-3">
          <SecretEntry apiKey={apiKey} pasted={props.pasted} onPasted={props.onPasted} />
          {mayRotate && <div>{another}</div>}
        </div>
      </Disclosure>
    </div>
  )
}
