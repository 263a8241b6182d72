import { Link } from '@tanstack/react-router'
import { useId, type ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { PATHS } from '../../../paths.ts'
import { Icon } from '../../../ui/icon.tsx'

const PLACES = [
  { name: 'usage', icon: 'usage', to: PATHS.usage },
  { name: 'clients', icon: 'key', to: PATHS.keys },
  { name: 'models', icon: 'models', to: PATHS.models },
] as const

/** Where to go once the first call has worked. */
export function NextSteps(): ReactNode {
  const t = useTexts('start').next
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-lg">
        {t.title}
      </h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-3">
        {PLACES.map(({ name, icon, to }) => (
          <li key={name}>
            <Link to={to} className="card flex h-full items-start gap-3 p-4 transition-colors hover:border-edge">
              <Icon name={icon} className="mt-0.75 text-accent" />
              <span className="min-w-0">
                <span className="block font-medium">{t[name]}</span>
                <span className="block text-sm text-ink-2">{t[`${name}Text`]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
