import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiProblem } from '../api/api-problem.ts'
import { groupsQuery } from '../api/groups.ts'
import { useSharedTexts, useTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { accountWords, keyWords, planWords } from './account-words.ts'
import { credentialWords, groupWords, modelWords, upstreamWords } from './catalogue-words.ts'
import { differenceRows, type FieldWords } from './difference-rows.ts'
import { type ObjectKind, objectKindAt } from './object-kinds.ts'
import { announcementWords, paymentWords, settingWords } from './setting-words.ts'

type Of = Pick<ApiProblem, 'path' | 'differences'>

/** Both versions of each field that differs, in the words of the form or page that has the field. */
export default function Differences(props: Of): ReactNode {
  const kind = props.path === null ? null : objectKindAt(props.path)
  const TableOf = kind === null ? OfUnknown : TABLES[kind]
  return <TableOf {...props} />
}

/** Each fetches the words that it takes. */
const TABLES: Readonly<Record<ObjectKind, (props: Of) => ReactNode>> = {
  group: OfGroup,
  model: OfModel,
  upstream: OfUpstream,
  credential: OfCredential,
  account: OfAccount,
  plan: OfPlan,
  key: OfKey,
  settings: OfSettings,
  payments: OfPaymentSettings,
  announcement: OfAnnouncement,
}

function OfGroup(props: Of): ReactNode {
  const words = groupWords({ groups: useTexts('groups'), accounts: useTexts('accounts') })
  return <Table {...props} words={words} />
}

function OfModel(props: Of): ReactNode {
  const texts = {
    prices: useTexts('prices'),
    models: useTexts('models'),
    settings: useTexts('modelSettings'),
    takes: useTexts('modelFacts'),
    shared: useSharedTexts(),
  }
  return <Table {...props} words={modelWords(texts, useFormat())} />
}

function OfUpstream(props: Of): ReactNode {
  return <Table {...props} words={upstreamWords({ upstreams: useTexts('upstreams') }, useFormat())} />
}

function OfCredential(props: Of): ReactNode {
  return <Table {...props} words={credentialWords({ upstreams: useTexts('upstreams') })} />
}

function OfAccount(props: Of): ReactNode {
  const texts = {
    accounts: useTexts('accounts'),
    one: useTexts('oneAccount'),
    own: useTexts('account'),
    shared: useSharedTexts(),
  }
  const { data: groups } = useQuery(groupsQuery)
  const groupName = (id: string): string => groups?.data.find((group) => group.id === id)?.name ?? id
  return <Table {...props} words={accountWords(texts, useFormat(), groupName)} />
}

function OfPlan(props: Of): ReactNode {
  return <Table {...props} words={planWords(useTexts('plans'), useFormat())} />
}

function OfKey(props: Of): ReactNode {
  const texts = { key: useTexts('key'), keys: useTexts('keys') }
  return <Table {...props} words={keyWords(texts, useFormat())} />
}

function OfSettings(props: Of): ReactNode {
  const texts = { settings: useTexts('settings'), shared: useSharedTexts() }
  return <Table {...props} words={settingWords(texts, useFormat())} />
}

function OfPaymentSettings(props: Of): ReactNode {
  const texts = {
    settings: useTexts('paymentSettings'),
    payments: useTexts('payments'),
    shared: useSharedTexts(),
  }
  return <Table {...props} words={paymentWords(texts, useFormat())} />
}

function OfAnnouncement(props: Of): ReactNode {
  const texts = { announcements: useTexts('announcements'), accounts: useTexts('accounts') }
  return <Table {...props} words={announcementWords(texts)} />
}

function OfUnknown(props: Of): ReactNode {
  return <Table {...props} words={NO_WORDS} />
}

const NO_WORDS: FieldWords = { fields: {} }

function Table({ differences, words }: Of & { readonly words: FieldWords }): ReactNode {
  const shared = useSharedTexts()
  const format = useFormat()
  const t = shared.collision
  return (
    <div tabIndex={0} role="region" aria-label={t.title} className="my-2 overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-ink-3">
          <tr>
            <th className="min-w-20 py-1 pr-4 font-normal [overflow-wrap:normal]">{t.field}</th>
            <th className="py-1 pr-4 font-normal">{t.theirs}</th>
            <th className="py-1 font-normal">{t.mine}</th>
          </tr>
        </thead>
        <tbody>
          {differenceRows(differences, words, { shared, format }).map(({ label, field, theirs, mine }) => (
            <tr key={field} className="border-t border-line align-top">
              <th scope="row" className="min-w-20 py-1 pr-4 font-normal [overflow-wrap:normal]">
                {label ?? <span className="font-mono">{field}</span>}
              </th>
              <td className="min-w-20 py-1 pr-4 [overflow-wrap:anywhere]">
                <Lines texts={theirs} />
              </td>
              <td className="min-w-20 py-1 [overflow-wrap:anywhere]">
                <Lines texts={mine} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Lines({ texts }: { readonly texts: readonly string[] }): ReactNode {
  const [only] = texts
  if (texts.length === 1) return only
  return (
    <ol className="grid gap-1">
      {texts.map((text, at) => (
        <li key={at}>{text}</li>
      ))}
    </ol>
  )
}
