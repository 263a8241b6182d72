import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { problemOfProvider } from '../../api/api-problem.ts'
import { meQuery } from '../../api/me.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AppearanceSection, EmailSection, ProfileSection } from './profile-sections.tsx'
import { LimitsSection } from './limits-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { OidcSection } from './oidc-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection, VisitsSection } from './sessions-section.tsx'
import { TokensSection } from './tokens-section.tsx'
import { TotpSection } from './totp-section.tsx'

const SECTIONS = ['profile', 'security', 'tokens', 'notifications'] as const

type SectionName = (typeof SECTIONS)[number]

/** Profile, sign-in and notifications. */
export default function AccountPage(): ReactNode {
  const t = useTexts('account')
  const shared = useSharedTexts()
  const { data: me } = useSuspenseQuery(meQuery)
  const refusal = problemOfProvider(useLocation({ select: ({ hash }) => hash }))
  const search: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const section = SECTIONS.find((name) => name === search['section']) ?? 'profile'
  const go = (next: SectionName): void => {
    const there = next === 'profile' ? {} : { section: next }
    void navigate({ to: '.', search: there, replace: true, resetScroll: false })
  }
  return (
    <div className="max-w-3xl">
      <PageHeader title={shared.pages.account} lead={me.email} />
      {refusal !== null && (
        <div className="mb-4">
          <ErrorState error={refusal} />
        </div>
      )}
      <Tabs
        label={t.sections}
        value={section}
        onValue={go}
        tabs={SECTIONS.map((value) => ({ value, label: t[value].tab }))}
      >
        <div className="grid gap-4">
          {section === 'profile' && (
            <>
              <ProfileSection me={me} />
              <EmailSection me={me} />
              <AppearanceSection me={me} />
              <LimitsSection />
            </>
          )}
          {section === 'security' && (
            <>
              <PasswordSection me={me} />
              <TotpSection />
              <PasskeysSection />
              <OidcSection />
              <SessionsSection />
              <VisitsSection />
            </>
          )}
          {section === 'tokens' && <TokensSection />}
          {section === 'notifications' && <NotificationsSection me={me} />}
        </div>
      </Tabs>
    </div>
  )
}
