-- What a person is called; null where nobody has said it. The version of the password rises with each change of it, so that a log-in that was checked against the one
-- before opens no session.
ALTER TABLE dashboard_user ADD COLUMN name text, ADD COLUMN password_version int NOT NULL DEFAULT 1;

-- Sessions of people in the dashboard. The token is kept as its SHA-256 alone. One that has ended is kept for a while: it says from where the person has logged in.
CREATE TABLE dashboard_session (
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  device text,
  address text,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT dashboard_session_pkey PRIMARY KEY (id),
  CONSTRAINT dashboard_session_token_hash_key UNIQUE (token_hash),
  CONSTRAINT dashboard_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES dashboard_user (id),
  CONSTRAINT dashboard_session_expires_at_check CHECK (expires_at > created_at)
);
CREATE INDEX dashboard_session_user_id_idx ON dashboard_session (user_id, created_at);

-- Tokens of mails with which a person chooses a new password: their SHA-256.
CREATE TABLE dashboard_reset (
  token_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT dashboard_reset_pkey PRIMARY KEY (token_hash),
  CONSTRAINT dashboard_reset_user_id_fkey FOREIGN KEY (user_id) REFERENCES dashboard_user (id)
);
CREATE INDEX dashboard_reset_user_id_idx ON dashboard_reset (user_id);

-- Who works for which store, in which role. A row without a user is an invitation, whose token is kept as its SHA-256.
CREATE TABLE team_member (
  id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  email text NOT NULL,
  role text NOT NULL,
  -- The name of who invited; null for an owner from the start.
  invited_by text,
  token_hash text COLLATE "C",
  token_expires_at timestamptz,
  -- Mails to it since mails_since: a flood of invitations sends no flood of mails.
  mails int NOT NULL DEFAULT 0,
  mails_since timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT team_member_pkey PRIMARY KEY (id),
  CONSTRAINT team_member_store_id_email_key UNIQUE (store_id, email),
  CONSTRAINT team_member_store_id_user_id_key UNIQUE (store_id, user_id),
  CONSTRAINT team_member_token_hash_key UNIQUE (token_hash),
  CONSTRAINT team_member_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT team_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES dashboard_user (id),
  CONSTRAINT team_member_role_check CHECK (role IN ('owner', 'admin', 'staff')),
  CONSTRAINT team_member_token_hash_check CHECK ((user_id IS NULL) = (token_hash IS NOT NULL) AND (token_hash IS NULL) = (token_expires_at IS NULL))
);
CREATE INDEX team_member_user_id_idx ON team_member (user_id);

-- People of before are the owners of their accounts.
INSERT INTO team_member (id, store_id, user_id, email, role, created_at, updated_at)
SELECT 'team_' || substr(md5(s.id || u.id), 1, 26), s.id, u.id, u.email, 'owner', u.created_at, u.created_at
FROM dashboard_user u JOIN store s ON s.account_id = u.account_id;
