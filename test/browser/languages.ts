import { accountEn } from '../../console/dictionaries/account-en.ts'
import { accountZhCn } from '../../console/dictionaries/account-zh-cn.ts'
import { accountsEn } from '../../console/dictionaries/accounts-en.ts'
import { accountsZhCn } from '../../console/dictionaries/accounts-zh-cn.ts'
import { auditEn } from '../../console/dictionaries/audit-en.ts'
import { auditZhCn } from '../../console/dictionaries/audit-zh-cn.ts'
import { billingEn } from '../../console/dictionaries/billing-en.ts'
import { billingZhCn } from '../../console/dictionaries/billing-zh-cn.ts'
import { diagnoseEn } from '../../console/dictionaries/diagnose-en.ts'
import { diagnoseZhCn } from '../../console/dictionaries/diagnose-zh-cn.ts'
import { favouritesEn } from '../../console/dictionaries/favourites-en.ts'
import { favouritesZhCn } from '../../console/dictionaries/favourites-zh-cn.ts'
import { faultsEn } from '../../console/dictionaries/faults-en.ts'
import { faultsZhCn } from '../../console/dictionaries/faults-zh-cn.ts'
import { keyEn } from '../../console/dictionaries/key-en.ts'
import { keyZhCn } from '../../console/dictionaries/key-zh-cn.ts'
import { keySpendEn } from '../../console/dictionaries/key-spend-en.ts'
import { keySpendZhCn } from '../../console/dictionaries/key-spend-zh-cn.ts'
import { keysEn } from '../../console/dictionaries/keys-en.ts'
import { keysZhCn } from '../../console/dictionaries/keys-zh-cn.ts'
import { modelSettingsEn } from '../../console/dictionaries/model-settings-en.ts'
import { modelSettingsZhCn } from '../../console/dictionaries/model-settings-zh-cn.ts'
import { modelsEn } from '../../console/dictionaries/models-en.ts'
import { modelsZhCn } from '../../console/dictionaries/models-zh-cn.ts'
import { operationsEn } from '../../console/dictionaries/operations-en.ts'
import { operationsZhCn } from '../../console/dictionaries/operations-zh-cn.ts'
import { overviewEn } from '../../console/dictionaries/overview-en.ts'
import { overviewZhCn } from '../../console/dictionaries/overview-zh-cn.ts'
import { outsideEn } from '../../console/dictionaries/outside-en.ts'
import { outsideZhCn } from '../../console/dictionaries/outside-zh-cn.ts'
import { playgroundEn } from '../../console/dictionaries/playground-en.ts'
import { playgroundZhCn } from '../../console/dictionaries/playground-zh-cn.ts'
import { problemsEn } from '../../console/dictionaries/problems-en.ts'
import { problemsZhCn } from '../../console/dictionaries/problems-zh-cn.ts'
import { recordEn } from '../../console/dictionaries/record-en.ts'
import { recordZhCn } from '../../console/dictionaries/record-zh-cn.ts'
import { refusalsEn } from '../../console/dictionaries/refusals-en.ts'
import { refusalsZhCn } from '../../console/dictionaries/refusals-zh-cn.ts'
import { sharedEn } from '../../console/dictionaries/shared-en.ts'
import { sharedZhCn } from '../../console/dictionaries/shared-zh-cn.ts'
import { shellEn } from '../../console/dictionaries/shell-en.ts'
import { shellZhCn } from '../../console/dictionaries/shell-zh-cn.ts'
import { startEn } from '../../console/dictionaries/start-en.ts'
import { startZhCn } from '../../console/dictionaries/start-zh-cn.ts'
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
    audit: auditEn,
    billing: billingEn,
    diagnose: diagnoseEn,
    faults: faultsEn,
    favourites: favouritesEn,
    key: keyEn,
    keys: keysEn,
    keySpend: keySpendEn,
    models: modelsEn,
    modelSettings: modelSettingsEn,
    outside: outsideEn,
    operations: operationsEn,
    overview: overviewEn,
    playground: playgroundEn,
    problems: problemsEn,
    record: recordEn,
    refusals: refusalsEn,
    explain: explainEnglish,
    shell: shellEn,
    start: startEn,
    upstreams: upstreamsEn,
    usage: usageEn,
  },
  {
    language: 'zh-CN',
    shared: sharedZhCn,
    account: accountZhCn,
    accounts: accountsZhCn,
    audit: auditZhCn,
    billing: billingZhCn,
    diagnose: diagnoseZhCn,
    faults: faultsZhCn,
    favourites: favouritesZhCn,
    key: keyZhCn,
    keys: keysZhCn,
    keySpend: keySpendZhCn,
    models: modelsZhCn,
    modelSettings: modelSettingsZhCn,
    outside: outsideZhCn,
    operations: operationsZhCn,
    overview: overviewZhCn,
    playground: playgroundZhCn,
    problems: problemsZhCn,
    record: recordZhCn,
    refusals: refusalsZhCn,
    explain: explainChinese,
    shell: shellZhCn,
    start: startZhCn,
    upstreams: upstreamsZhCn,
    usage: usageZhCn,
  },
] as const

export type Texts = (typeof LANGUAGES)[number]
export type Language = Texts['language']
