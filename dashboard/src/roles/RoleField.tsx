import { t } from '@lingui/core/macro';
import { Radio } from '@mantine/core';
import { may, needsPlatformText, type Role, roleTexts } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';
import classes from './Roles.module.css';

interface RoleFieldProps {
  guild: Guild;
  value: Role;
  onChange: (role: Role) => void;
}

/** The choice of a role. Only some people may appoint managers. */
export function RoleField({ guild, value, onChange }: RoleFieldProps) {
  return (
    // The radios have exactly these values.
    <Radio.Group label={t`Role`} value={value} onChange={(role) => onChange(role as Role)}>
      <div className={classes.roles}>
        {Object.entries(roleTexts()).map(([role, { label, explanation }]) => {
          const isClosed = role === 'manager' && !may(guild, 'roles.appoint');
          const description = isClosed ? `${explanation} ${needsPlatformText()}` : explanation;
          return (
            <Radio key={role} value={role} label={label} description={description} disabled={isClosed} />
          );
        })}
      </div>
    </Radio.Group>
  );
}
