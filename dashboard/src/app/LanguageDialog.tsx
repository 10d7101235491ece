import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES, offeredLanguages } from '../texts/languages.ts';
import classes from './UserMenu.module.css';

/** Sets the language of the pages in this browser. The page is loaded again in it. */
export function LanguageDialog({ onClose }: { onClose: () => void }) {
  const isPhone = useIsPhone();
  const [chosen, setChosen] = useState<string>(chosenLanguage() ?? '');
  return (
    <Modal opened onClose={onClose} title={t`Language`} fullScreen={isPhone}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          chooseLanguage(offeredLanguages.find((offered) => offered === chosen));
        }}
      >
        <p className={classes.question}>
          <Trans>Texts, dates and numbers are shown in this language, in this browser.</Trans>
        </p>
        <Radio.Group value={chosen} onChange={setChosen} aria-label={t`Language`} mt="md">
          <Stack gap="sm">
            <Radio value="" label={t`The browser’s language`} />
            {offeredLanguages.map((offered) => (
              <Radio key={offered} value={offered} label={<span lang={offered}>{LANGUAGES[offered]}</span>} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit">
            <Trans>Save</Trans>
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
