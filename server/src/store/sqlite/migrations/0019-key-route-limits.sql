-- Limits of single routes, such as `getVerification=60/minute`, separated by spaces; NULL for none.
ALTER TABLE api_key ADD COLUMN route_limits TEXT;
