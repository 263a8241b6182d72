import { accountEn } from '../../console/dictionaries/account-en.ts'
import { accountZhCn } from '../../console/dictionaries/account-zh-cn.ts'
import { accountsEn } from '../../console/dictionaries/accounts-en.ts'
import { accountsZhCn } from '../../console/dictionaries/accounts-zh-cn.ts'
import { staffEn } from '../../console/dictionaries/staff-en.ts'
import { staffZhCn } from '../../console/dictionaries/staff-zh-cn.ts'
import { announcementsEn } from '../../console/dictionaries/announcements-en.ts'
import { announcementsZhCn } from '../../console/dictionaries/announcements-zh-cn.ts'
import { auditEn } from '../../console/dictionaries/audit-en.ts'
import { auditZhCn } from '../../console/dictionaries/audit-zh-cn.ts'
import { billingEn } from '../../console/dictionaries/billing-en.ts'
import { billingZhCn } from '../../console/dictionaries/billing-zh-cn.ts'
import { capturesEn } from '../../console/dictionaries/captures-en.ts'
import { capturesZhCn } from '../../console/dictionaries/captures-zh-cn.ts'
import { diagnoseEn } from '../../console/dictionaries/diagnose-en.ts'
import { diagnoseZhCn } from '../../console/dictionaries/diagnose-zh-cn.ts'
import { favouritesEn } from '../../console/dictionaries/favourites-en.ts'
import { favouritesZhCn } from '../../console/dictionaries/favourites-zh-cn.ts'
import { faultsEn } from '../../console/dictionaries/faults-en.ts'
import { faultsZhCn } from '../../console/dictionaries/faults-zh-cn.ts'
import { groupsEn } from '../../console/dictionaries/groups-en.ts'
import { groupsZhCn } from '../../console/dictionaries/groups-zh-cn.ts'
import { incidentsEn } from '../../console/dictionaries/incidents-en.ts'
import { incidentsZhCn } from '../../console/dictionaries/incidents-zh-cn.ts'
import { keyEn } from '../../console/dictionaries/key-en.ts'
import { keyZhCn } from '../../console/dictionaries/key-zh-cn.ts'
import { keySpendEn } from '../../console/dictionaries/key-spend-en.ts'
import { keySpendZhCn } from '../../console/dictionaries/key-spend-zh-cn.ts'
import { keysEn } from '../../console/dictionaries/keys-en.ts'
import { keysZhCn } from '../../console/dictionaries/keys-zh-cn.ts'
import { modelFactsEn } from '../../console/dictionaries/model-facts-en.ts'
import { modelFactsZhCn } from '../../console/dictionaries/model-facts-zh-cn.ts'
import { modelSettingsEn } from '../../console/dictionaries/model-settings-en.ts'
import { modelSettingsZhCn } from '../../console/dictionaries/model-settings-zh-cn.ts'
import { modelsEn } from '../../console/dictionaries/models-en.ts'
import { modelsZhCn } from '../../console/dictionaries/models-zh-cn.ts'
import { operationsEn } from '../../console/dictionaries/operations-en.ts'
import { operationsZhCn } from '../../console/dictionaries/operations-zh-cn.ts'
import { overviewEn } from '../../console/dictionaries/overview-en.ts'
import { overviewZhCn } from '../../console/dictionaries/overview-zh-cn.ts'
import { oneAccountEn } from '../../console/dictionaries/one-account-en.ts'
import { oneAccountZhCn } from '../../console/dictionaries/one-account-zh-cn.ts'
import { outsideEn } from '../../console/dictionaries/outside-en.ts'
import { outsideZhCn } from '../../console/dictionaries/outside-zh-cn.ts'
import { playgroundEn } from '../../console/dictionaries/playground-en.ts'
import { playgroundZhCn } from '../../console/dictionaries/playground-zh-cn.ts'
import { paymentsEn } from '../../console/dictionaries/payments-en.ts'
import { paymentsZhCn } from '../../console/dictionaries/payments-zh-cn.ts'
import { paymentSettingsEn } from '../../console/dictionaries/payment-settings-en.ts'
import { paymentSettingsZhCn } from '../../console/dictionaries/payment-settings-zh-cn.ts'
import { plansEn } from '../../console/dictionaries/plans-en.ts'
import { plansZhCn } from '../../console/dictionaries/plans-zh-cn.ts'
import { priceImportEn } from '../../console/dictionaries/price-import-en.ts'
import { priceImportZhCn } from '../../console/dictionaries/price-import-zh-cn.ts'
import { pricesEn } from '../../console/dictionaries/prices-en.ts'
import { pricesZhCn } from '../../console/dictionaries/prices-zh-cn.ts'
import { publicEn } from '../../console/dictionaries/public-en.ts'
import { publicZhCn } from '../../console/dictionaries/public-zh-cn.ts'
import { problemsEn } from '../../console/dictionaries/problems-en.ts'
import { problemsZhCn } from '../../console/dictionaries/problems-zh-cn.ts'
import { recordEn } from '../../console/dictionaries/record-en.ts'
import { recordZhCn } from '../../console/dictionaries/record-zh-cn.ts'
import { refusalsEn } from '../../console/dictionaries/refusals-en.ts'
import { refusalsZhCn } from '../../console/dictionaries/refusals-zh-cn.ts'
import { requestsEn } from '../../console/dictionaries/requests-en.ts'
import { requestsZhCn } from '../../console/dictionaries/requests-zh-cn.ts'
import { settingsEn } from '../../console/dictionaries/settings-en.ts'
import { settingsZhCn } from '../../console/dictionaries/settings-zh-cn.ts'
import { sharedEn } from '../../console/dictionaries/shared-en.ts'
import { sharedZhCn } from '../../console/dictionaries/shared-zh-cn.ts'
import { shellEn } from '../../console/dictionaries/shell-en.ts'
import { shellZhCn } from '../../console/dictionaries/shell-zh-cn.ts'
import { startEn } from '../../console/dictionaries/start-en.ts'
import { startZhCn } from '../../console/dictionaries/start-zh-cn.ts'
import { systemEn } from '../../console/dictionaries/system-en.ts'
import { systemZhCn } from '../../console/dictionaries/system-zh-cn.ts'
import { upstreamsEn } from '../../console/dictionaries/upstreams-en.ts'
import { upstreamsZhCn } from '../../console/dictionaries/upstreams-zh-cn.ts'
import { usageEn } from '../../console/dictionaries/usage-en.ts'
import { usageZhCn } from '../../console/dictionaries/usage-zh-cn.ts'
import { explainChinese } from '../../src/causes/chinese.ts'
import { explainEnglish } from '../../src/causes/english.ts'

/** Every flow is walked in each of these, by the words that the console itself shows there. */
export const LANGUAGES = [
  {
    language: 'en',
    shared: sharedEn,
    account: accountEn,
    accounts: accountsEn,
    announcements: announcementsEn,
    audit: auditEn,
    staff: staffEn,
    billing: billingEn,
    captures: capturesEn,
    diagnose: diagnoseEn,
    faults: faultsEn,
    favourites: favouritesEn,
    groups: groupsEn,
    incidents: incidentsEn,
    key: keyEn,
    keys: keysEn,
    keySpend: keySpendEn,
    models: modelsEn,
    modelFacts: modelFactsEn,
    modelSettings: modelSettingsEn,
    oneAccount: oneAccountEn,
    outside: outsideEn,
    operations: operationsEn,
    overview: overviewEn,
    payments: paymentsEn,
    paymentSettings: paymentSettingsEn,
    playground: playgroundEn,
    plans: plansEn,
    priceImport: priceImportEn,
    prices: pricesEn,
    problems: problemsEn,
    public: publicEn,
    record: recordEn,
    refusals: refusalsEn,
    requests: requestsEn,
    explain: explainEnglish,
    settings: settingsEn,
    shell: shellEn,
    start: startEn,
    system: systemEn,
    upstreams: upstreamsEn,
    usage: usageEn,
  },
  {
    language: 'zh-CN',
    shared: sharedZhCn,
    account: accountZhCn,
    accounts: accountsZhCn,
    announcements: announcementsZhCn,
    audit: auditZhCn,
    staff: staffZhCn,
    billing: billingZhCn,
    captures: capturesZhCn,
    diagnose: diagnoseZhCn,
    faults: faultsZhCn,
    favourites: favouritesZhCn,
    groups: groupsZhCn,
    incidents: incidentsZhCn,
    key: keyZhCn,
    keys: keysZhCn,
    keySpend: keySpendZhCn,
    models: modelsZhCn,
    modelFacts: modelFactsZhCn,
    modelSettings: modelSettingsZhCn,
    oneAccount: oneAccountZhCn,
    outside: outsideZhCn,
    operations: operationsZhCn,
    overview: overviewZhCn,
    payments: paymentsZhCn,
    paymentSettings: paymentSettingsZhCn,
    playground: playgroundZhCn,
    plans: plansZhCn,
    priceImport: priceImportZhCn,
    prices: pricesZhCn,
    problems: problemsZhCn,
    public: publicZhCn,
    record: recordZhCn,
    refusals: refusalsZhCn,
    requests: requestsZhCn,
    explain: explainChinese,
    settings: settingsZhCn,
    shell: shellZhCn,
    start: startZhCn,
    system: systemZhCn,
    upstreams: upstreamsZhCn,
    usage: usageZhCn,
  },
] as const

export type Texts = (typeof LANGUAGES)[number]
export type Language = Texts['language']

/**
 * Where a flow is walked: in the language that is named, so that one run walks about half of them in each; in both with
 * `TEST_LANGUAGES=both`. That every view is whole in both is what `every-view.ts` finds out in every run.
 */
export function walkedIn(language: Language): readonly Texts[] {
  return LANGUAGES.filter((each) => each.language === language || process.env['TEST_LANGUAGES'] === 'both')
}
