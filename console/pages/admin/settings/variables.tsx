import type { ReactNode } from 'react'
import type { GivenVariable } from '../../../api/settings-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'

const PARTS = ['server', 'alerts', 'backups', 'retention', 'sign_in', 'telemetry'] as const

/** What the environment sets, by what it is about; folded but for what is searched. */
export function Variables(props: {
  readonly variables: readonly GivenVariable[]
  matches(...texts: readonly (string | null)[]): boolean
  readonly onlySet: boolean
  readonly isSearched: boolean
}): ReactNode {
  const t = useTexts('settings')
  const format = useFormat()
  const { variables, onlySet, matches, isSearched } = props
  const parts = PARTS.map((part) => {
    const all = variables.filter((each) => each.part === part)
    const set = all.filter(({ source }) => source !== 'default')
    const wanted = (onlySet ? set : all).filter((each) =>
      matches(each.name, each.meaning, t.variable(each.name, each.meaning), each.value),
    )
    return { part, wanted, summary: t.environment.count(format.number(set.length), format.number(all.length)) }
  }).filter(({ wanted }) => wanted.length > 0)
  return (
    <div className="grid gap-2">
      {parts.length === 0 && <p className="text-ink-2">{t.none}</p>}
      {parts.map(({ part, wanted, summary }) => (
        <Disclosure
          // What is searched is opened, and folded again with the search.
          key={`${part} ${isSearched}`}
          title={t.environment.parts[part]}
          summary={summary}
          isOpenAtFirst={isSearched}
        >
          <ul className="-my-3 divide-y divide-line">
            {wanted.map((variable) => (
              <VariableRow key={variable.name} variable={variable} />
            ))}
          </ul>
        </Disclosure>
      ))}
    </div>
  )
}

function VariableRow({ variable }: { readonly variable: GivenVariable }): ReactNode {
  const t = useTexts('settings')
  const { name, meaning, standard, source, value, is_secret: isSecret } = variable
  const unset = t.environment.unset(t.standard(standard))
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="font-mono text-sm [overflow-wrap:anywhere]">{name}</p>
        <p className="text-sm text-ink-2">{t.variable(name, meaning)}</p>
      </div>
      <div className="flex min-w-0 flex-wrap items-start gap-x-2 gap-y-1">
        <span className="min-w-0 text-sm [overflow-wrap:anywhere]">
          {source === 'default' ? (
            <span className="text-ink-3">{unset}</span>
          ) : isSecret ? (
            t.environment.secret
          ) : (
            <code className="font-mono">{value}</code>
          )}
        </span>
        {source !== 'default' && <Badge tone="accent">{t.environment.sources[source]}</Badge>}
      </div>
    </li>
  )
}
